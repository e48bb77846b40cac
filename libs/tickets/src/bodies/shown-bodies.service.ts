import { type AccountConnection, Transactions, accountStatement, filter } from '#libs/database';
import type { BodyForm, Message } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { BodyRenderer } from './body-renderer.js';
import { isPlainText } from './plain-text.js';
import type { RenderedBody } from './render-body.js';
import { startOfHtml } from './safe-html.js';

/** The body of a message for a page. */
export interface ShownBody {
  readonly as: BodyForm;
  /** `html` may stand in a page unescaped; its remote pictures are held back. */
  readonly content: string;
  /** Whether the content is incomplete. */
  readonly cut: boolean;
}

const READ_HTML = accountStatement(
  'message_read_html',
  'select id, left(safe_html, $3) as html from messages where account_id = $1 and id = any($2)',
);

const SAVE_RENDERED = accountStatement(
  'message_save_rendered',
  `update messages set shown_as = $3, safe_html = $4 where id = $2 and ${filter('account_id = $1')} and shown_as is null`,
);

/** More characters than a column can hold. */
const ALL = 2 ** 30;

@Injectable()
export class ShownBodiesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly renderer: BodyRenderer,
  ) {}

  /** Returns bodies by message id. Round trips: 0 for text, 1 for HTML, 1 for each message not rendered yet. */
  async read(
    context: RequestContext,
    messages: readonly Message[],
    { characters = ALL }: { characters?: number | undefined },
  ): Promise<Map<string, ShownBody>> {
    const account = this.transactions.account(context);
    const html = await readHtml(account, messages, characters + 1);
    const shown = messages.map(async (message): Promise<[string, ShownBody]> => {
      const { plainTextBody, shownAs } = message;
      const kept = { plainTextBody, shownAs, safeHtml: html.get(message.id) ?? null };
      const rendered = shownAs === null ? await this.renderOld(context, message) : kept;
      return [message.id, shownBody(message.body, rendered, characters)];
    });
    return new Map(await Promise.all(shown));
  }

  /** Renders a message written before HTML was stored, or while the renderer was busy. */
  private async renderOld(context: RequestContext, { id, body }: Message): Promise<RenderedBody> {
    if (isPlainText(body)) return { plainTextBody: body, shownAs: 'text', safeHtml: null };
    const rendered = await this.renderer.render(context.accountId, body);
    if (rendered.shownAs !== null)
      await this.transactions.account(context).rows(SAVE_RENDERED, [id, rendered.shownAs, rendered.safeHtml]);
    return rendered;
  }
}

async function readHtml(
  account: AccountConnection,
  messages: readonly Message[],
  characters: number,
): Promise<Map<string, string>> {
  const ids = messages.filter(({ shownAs }) => shownAs === 'html').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await account.rows<{ id: string; html: string }>(READ_HTML, [ids, characters]);
  return new Map(rows.map(({ id, html }) => [id, html]));
}

function shownBody(body: string, { shownAs, safeHtml, plainTextBody }: RenderedBody, characters: number): ShownBody {
  if (shownAs === 'html' && safeHtml !== null)
    return { as: 'html', content: startOfHtml(safeHtml, characters), cut: safeHtml.length > characters };
  const text = shownAs === 'text' ? body : plainTextBody;
  return {
    as: shownAs === 'text' ? 'text' : 'text_of_html',
    content: text.slice(0, characters),
    cut: text.length > characters,
  };
}
