import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Links } from '#libs/payloads';
import { VERSION } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Dto } from '../layers/edge/nest-internals.js';
import { components } from './components.js';
import { NamedSchemas } from './dto-schema.js';
import { OAUTH_PATHS } from './oauth-paths.js';
import { withGeneratedNames } from './generated-names.js';
import { type Example, operationOf } from './operation.js';
import { PUBLIC_PATHS, eventWebhooks } from './public-paths.js';
import { type Route, routesOf } from './routes.js';

const DESCRIPTION = `Tickets, customers, agents and messages of a help desk, and webhooks for what happens to them.

Send an access token in \`Authorization: Bearer\`. Bodies are JSON or forms. Lists have \`meta.pagination\`; follow
\`next_page\`. Errors are \`application/problem+json\`; \`error\` is stable.`;

export type OpenApi = ReturnType<typeof openApiOf>;

/** Derives the OpenAPI document from the routes when it is first read, and caches it. */
@Injectable()
export class OpenApiService {
  private cached: OpenApi | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly links: Links,
  ) {}

  read(): OpenApi {
    const controllers = () => this.discovery.getControllers().map(({ metatype }) => metatype as Dto);
    this.cached ??= openApiOf(controllers(), this.links.base);
    return this.cached;
  }
}

export function openApiOf(controllers: readonly Dto[], base: string) {
  const routes = routesOf(controllers);
  const schemas = new NamedSchemas();
  const paths = pathsOf(routes, schemas, examplesAt(base));
  return withGeneratedNames({
    openapi: '3.1.0',
    info: {
      title: 'Deskwire',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { url: `${base}/docs`, description: 'Guides and reference' },
    servers: [{ url: base }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...PUBLIC_PATHS, ...OAUTH_PATHS },
    webhooks: eventWebhooks(new Links(base)),
    components: components(base, schemas.all),
  });
}

/** The compiler does not copy this file, so it is read from the source folder, which package.json names. */
const EXAMPLES_FILE = createRequire(import.meta.url).resolve('#examples.json');
const RECORDED_BASE = 'https://desk.example';

/** The recorded calls, by operation id, with the addresses of this installation. */
const examplesAt = (base: string): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8').replaceAll(RECORDED_BASE, base)) as Record<string, Example>;

function pathsOf(routes: readonly Route[], schemas: NamedSchemas, examples: ReturnType<typeof examplesAt>) {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas, examples[route.id]) };
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => one.localeCompare(other)));
}

/** In the order in which a new integration needs them. */
const TAGS = {
  oauth: 'Access for applications.',
  me: 'The owner of the token.',
  tickets: 'Conversations, their parts and their messages.',
  messages: 'Single messages.',
  attachments: 'Files of messages.',
  customers: 'People who contact support.',
  webhooks: 'Subscriptions to kinds of events.',
  event_kinds: 'The kinds of events.',
  events: 'What happened. Read them, or let webhooks send them.',
  deliveries: 'Events on their way to webhooks, with their attempts.',
  replays: 'Deliveries that are sent again, in the background.',
  changes: 'Changed records in one order, to keep a copy up to date.',
  folders: 'Built-in views of tickets.',
  agents: 'Members of the support team: invitations, roles, archive.',
  groups: 'Groups of agents, for assignment.',
  saved_replies: 'Texts for replies, with what sending them changes.',
  mailboxes: 'Addresses that receive tickets.',
  arrivals: 'Inbound emails and their states.',
  health: 'Whether the API is alive and ready.',
};
