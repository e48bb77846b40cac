import {
  Account,
  Activity,
  Agent,
  Application,
  Attachment,
  Attempt,
  AuthorizationCode,
  Customer,
  Delivery,
  Event,
  Grant,
  Group,
  GroupMember,
  IdempotencyKey,
  Mailbox,
  Message,
  OutboxEntry,
  Presence,
  OwedDelivery,
  Replay,
  Session,
  SingleUseLink,
  Throttle,
  Ticket,
  Token,
  Visit,
  Webhook,
  WebhookSecret,
} from '#libs/entities';
import type { Settings } from '#libs/settings';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { PostgresNaming } from './naming.js';

export const ENTITIES = [
  Account,
  Activity,
  Agent,
  Application,
  Attachment,
  Attempt,
  AuthorizationCode,
  Customer,
  Delivery,
  Event,
  Grant,
  Group,
  GroupMember,
  IdempotencyKey,
  Mailbox,
  Message,
  OutboxEntry,
  Presence,
  OwedDelivery,
  Replay,
  Session,
  SingleUseLink,
  Throttle,
  Ticket,
  Token,
  Visit,
  Webhook,
  WebhookSecret,
];

/** No statement of the product may run longer; one that does is stuck, and would hold its locks with it. */
const STATEMENT_TIMEOUT_MS = 30_000;

type DatabaseSettings = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>;

/** `session`: how PostgreSQL is to plan for these connections, as in its `options` parameter. */
export function createDataSource(settings: DatabaseSettings, app: string, session?: string): DataSource {
  return new DataSource({
    type: 'postgres',
    url: settings.DATABASE_URL,
    poolSize: settings.DATABASE_POOL_SIZE,
    applicationName: `deskwire-${app}`,
    connectTimeoutMS: 5000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      ...(session !== undefined && { options: session }),
    },
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    namingStrategy: new PostgresNaming(),
    logging: false,
  });
}
