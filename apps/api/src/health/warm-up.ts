import { once } from 'node:events';
import { TokensService } from '#libs/access';
import { Database, NIL_UUID } from '#libs/database';
import { MessagesService, type RequestContext, TicketsService } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';

export const HOT_STATEMENTS = [
  'bearer_find',
  'ticket_read',
  'ticket_lock',
  'ticket_lock_with_actor',
  'message_insert',
  'ticket_find_references',
  'ticket_next_number',
  'ticket_insert',
  'events_insert',
  'bell_ring',
];

/** Connections in use at a few hundred requests a second. PostgreSQL starts a process for each, which is slow. */
const CONNECTIONS = 4;

/** Enough calls for V8 to compile the hot functions. */
const ROUNDS = 20;

const NO_ACCOUNT: RequestContext = {
  accountId: NIL_UUID,
  agentId: NIL_UUID,
  role: 'agent',
  applicationId: null,
  requestId: null,
};

/** A slow database must not keep the process from becoming ready. */
const DEADLINE_MS = 3_000;

/**
 * Runs the code of a message for an account that does not exist, then opens connections and prepares the statements of
 * most requests on them, so that the first clients do not wait for this. Nothing is written. Failures are ignored:
 * `/readyz` checks the database on its own.
 */
export async function warmUp(app: INestApplicationContext): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  await Promise.race([warm(app, deadline).catch(() => undefined), once(deadline, 'abort')]);
}

async function warm(app: INestApplicationContext, deadline: AbortSignal): Promise<void> {
  const tokens = app.get(TokensService);
  const tickets = app.get(TicketsService);
  const messages = app.get(MessagesService);
  for (let round = 0; round < ROUNDS && !deadline.aborted; round++) {
    await tokens.authenticate('');
    const message = messages.post(NO_ACCOUNT, 0, { body: '<p>Hello &amp; welcome</p>' });
    await Promise.allSettled([tickets.read(NO_ACCOUNT, 0), message]);
  }
  await app.get(Database).renew(CONNECTIONS, HOT_STATEMENTS);
}
