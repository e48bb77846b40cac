/** The text of a new file, or what follows some lines of a file, or stands instead of them. */
type Edit = string | Readonly<Record<string, string | { readonly instead: string }>>;
export type Recipe = Readonly<Record<string, Edit>>;

const FIELD: Recipe = {
  'libs/entities/src/customer.ts': {
    "  @Column('text', { nullable: true }) phoneNumber: string | null = null;":
      "  @Column('text', { nullable: true }) nickname: string | null = null;",
  },
  'libs/tickets/src/migrations/1900000000000-add-nickname.ts': `import type { MigrationInterface, QueryRunner } from '#libs/database';

export class AddNickname1900000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table customers add nickname text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table customers drop nickname');
  }
}
`,
  'libs/payloads/src/people.payload.ts': {
    "  phone_number: [json.nullableText(), 'phoneNumber'],": "  nickname: [json.nullableText(), 'nickname'],",
  },
  'apps/api/src/customers/customers.dto.ts': {
    "  @Optional('Name of the company.', TextOrEmpty(200)) company_name?: string | null;":
      "  @Optional('As friends say.', TextOrEmpty(200)) nickname?: string | null;",
    '      phoneNumber: this.phone_number,': '      nickname: this.nickname,',
  },
  'apps/api/src/customers/customer-form.ts': {
    "  phoneNumber: 'Phone',": "  nickname: 'Nickname',",
  },
};

const RESOURCE: Recipe = {
  'libs/entities/src/snippet.ts': `import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

/** A text that agents use again. */
@Entity('snippets')
export class Snippet {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') text: string;
  @Column('timestamptz') createdAt: Date;
}
`,
  'libs/entities/src/index.ts': {
    "export * from './saved-view.js';": "export * from './snippet.js';",
  },
  'libs/tickets/src/migrations/1900000001000-create-snippets.ts': `import type { MigrationInterface, QueryRunner } from '#libs/database';

export class CreateSnippets1900000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(\`
      create table snippets (
        id uuid primary key,
        account_id uuid not null references accounts,
        text text not null,
        created_at timestamptz not null
      );
      create index snippets_account_id_created_at_id_idx on snippets (account_id, created_at, id);
    \`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table snippets');
  }
}
`,
  'libs/payloads/src/snippet.payload.ts': `import type { Snippet } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const snippetPayload = recordPayload<Snippet>('A text that agents use again.', {
  id: [json.id, 'id'],
  href: [json.address, (snippet, links) => links.record('snippets', snippet.id)],
  text: [json.string, 'text'],
  created_at: [json.time, 'createdAt'],
});
`,
  'libs/payloads/src/records.ts': {
    "import { replayPayload, replayPreviewPayload } from './replay.payload.js';":
      "import { snippetPayload } from './snippet.payload.js';",
    '  Change: changePayload,': '  Snippet: snippetPayload,',
  },
  'libs/tickets/src/snippets/snippets.service.ts': `import { Transactions, uuidAt } from '#libs/database';
import { Snippet } from '#libs/entities';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';

const OLDEST_FIRST: Order = {
  name: 'created_at',
  descending: false,
  keys: [
    { column: 's.created_at', type: 'timestamptz' },
    { column: 's.id', type: 'uuid' },
  ],
};

@Injectable()
export class SnippetsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly lists: ListsService,
  ) {}

  list(context: RequestContext, request: PageRequest): Promise<Page<Snippet>> {
    const listing = { from: 'snippets s', id: 's.id', conditions: Conditions.forAccount('s'), order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, (account, ids) => account.repository(Snippet).findByIds(ids));
  }

  create(context: RequestContext, text: string): Promise<Snippet> {
    return this.transactions.run(context, async (tx, now) => {
      const snippet = Object.assign(new Snippet(), { id: uuidAt(now), text, createdAt: now });
      await tx.repository(Snippet).insert(snippet);
      return snippet;
    });
  }
}
`,
  'libs/tickets/src/services.ts': {
    "export { AgentsService } from './people/agents.service.js';":
      "export { SnippetsService } from './snippets/snippets.service.js';",
  },
  'apps/api/src/snippets/snippets.controller.ts': `import { SnippetsService } from '#libs/tickets';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiDescription, ApiOperation } from '../edge/api-operation.decorator.js';
import { Caller } from '../edge/caller.js';
import { Text } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';

class CreateSnippetDto {
  @ApiDescription('What an agent would write again.') @Text(5000) text: string;
}

@Controller('v1/snippets')
export class SnippetsController {
  constructor(private readonly snippets: SnippetsService) {}

  @Get()
  @ApiOperation('List snippets, oldest first', { list: ['snippets', 'Snippet'] })
  list(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.snippets.list(caller, query.toQuery());
  }

  @Post()
  @ApiOperation('Add a snippet', { created: ['snippet', 'Snippet'] })
  create(@Caller() caller: Caller, @Body() dto: CreateSnippetDto) {
    return this.snippets.create(caller, dto.text);
  }
}
`,
};

const EVENT_KIND: Recipe = {
  'libs/payloads/src/event-kinds.ts': {
    "  customer_added: { ...customer, when: 'A customer record is created, however.', action: 'added the customer' },":
      "  customer_changed: { ...customer, when: 'A customer record changes.', action: 'changed the customer' },",
  },
  'libs/payloads/src/sample-payloads.ts': {
    '  customer_added: JONAS,': '  customer_changed: JONAS,',
  },
  'libs/tickets/src/customers/customers.service.ts': {
    "      await this.recordActivity(tx, context, 'customer_changed', customer);": {
      instead: "      await this.events.record(tx, context, ['customer_changed', customer]);",
    },
  },
  'apps/api/src/customers/customers.controller.ts': {
    "  conflicts: ['customer_exists'],": "  emits: ['customer_changed'],",
  },
  'test/api/events/ways.ts': {
    'export const WAYS: Readonly<Record<EventKind, readonly Way[]>> = {': `  customer_changed: [
    way('a customer gets a nickname', ['customer_changed'], async (desk) => {
      const email = newEmail();
      await desk.client().post('/v1/customers', { email });
      return () => desk.client().patch(\`/v1/customers/\${email}\`, { nickname: 'Ann' });
    }),
  ],`,
  },
};

const PAGE: Recipe = {
  'apps/api/src/snippets/snippets.page.tsx': `import type { Snippet } from '#libs/entities';
import { PageLayout } from '../shell/shell.js';
import { Table } from '../ui/parts/table.js';

export function SnippetsPage({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <PageLayout title="Snippets">
      <Table caption="Snippets" columns={[{ name: 'Text', cell: ({ text }) => text }]} rows={snippets} />
    </PageLayout>
  );
}
`,
  'apps/api/src/snippets/snippet-pages.controller.tsx': `import { SnippetsService } from '#libs/tickets';
import { Get } from '@nestjs/common';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf } from '../shell/form-submission.js';
import { Me } from '../sign-in/session.guard.js';
import type { PageResponse } from '../ui/page-response.js';
import { SnippetsPage } from './snippets.page.js';

@ConsolePages('snippets', 'agents', { group: 'Settings', label: 'Snippets', icon: 'list' })
export class SnippetPagesController {
  constructor(private readonly snippets: SnippetsService) {}

  @Get()
  async list(@Me() me: Me): Promise<PageResponse> {
    const { items } = await this.snippets.list(actingOf(me), { page: 1, perPage: 50, cursor: undefined });
    return { view: <SnippetsPage snippets={items} /> };
  }
}
`,
  'apps/api/src/shell/navigation.ts': {
    "  'Replies',": "  'Snippets',",
  },
};

const RETRY_RULE: Recipe = {
  'libs/webhooks/src/retry-policy.ts': {
    "  if (outcome.kind === 'answered' && outcome.status === 410) return { kind: 'cancelled' };":
      "  if (outcome.kind === 'answered' && outcome.status === 451) return { kind: 'cancelled' };",
  },
  'libs/webhooks/src/retry-policy.spec.ts': {
    "describe('nextStep', () => {": `  it('cancels the delivery after 451', () => {
    expect(decide(anAnswer(451))).toEqual({ kind: 'cancelled' });
  });
`,
  },
};

const SETTING: Recipe = {
  'libs/settings/src/settings.ts': {
    "  PORT: integer('Port of the API and console.', 3000, PORTS),":
      "  SNIPPETS_PER_PAGE: integer('Snippets on a page.', 50, [1, 500]),",
  },
};

/** By their names in CONTRIBUTING.md. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'A field': FIELD,
  'A resource': RESOURCE,
  'A kind of event': EVENT_KIND,
  'A page': PAGE,
  'A retry rule': RETRY_RULE,
  'A setting': SETTING,
};
