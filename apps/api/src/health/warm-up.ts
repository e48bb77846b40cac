import { once } from 'node:events';
import { BearerTokensService } from '#libs/access';
import { Database, NIL_UUID } from '#libs/database';
import { MessagesService, type RequestContext, TicketsService } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';

/** What most requests ask. */
export const HOT_STATEMENTS = [
  'bearer_find',
  'ticket_read',
  'ticket_lock',
  'author_find',
  'message_insert',
  'ticket_find_cast',
  'ticket_next_number',
  'ticket_open',
  'events_record',
  'bell_ring',
];

/** As many as are in use at a time at a few hundred requests a second. PostgreSQL starts a process for each. */
const CONNECTIONS = 4;

/** Enough for the engine to see what is called often. */
const ROUNDS = 20;

const NOBODY: RequestContext = {
  accountId: NIL_UUID,
  agentId: NIL_UUID,
  role: 'agent',
  applicationId: null,
  requestId: null,
};

/** Whatever holds the database up, a process is ready, if not warm, after this. */
const DEADLINE_MS = 3_000;

/**
 * Runs the code of a message for a ticket of an account that does not exist, then opens connections and prepares the
 * statements of most requests on them, so that not the first clients wait for all this. Nothing is written, and what
 * fails is only not warm: `/readyz` tells by itself whether the database answers.
 */
export async function warmUp(app: INestApplicationContext): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  await Promise.race([warm(app, deadline).catch(() => undefined), once(deadline, 'abort')]);
}

async function warm(app: INestApplicationContext, deadline: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS && !deadline.aborted; round++) await askForNothing(app);
  await app.get(Database).renew(CONNECTIONS, HOT_STATEMENTS);
}

async function askForNothing(app: INestApplicationContext): Promise<void> {
  const options = { strict: false };
  await app.get(BearerTokensService, options).authenticate('');
  const requests = [
    app.get(TicketsService, options).read(NOBODY, 0),
    app.get(MessagesService, options).post(NOBODY, 0, { body: '<p>Hello &amp; welcome</p>' }),
  ];
  await Promise.allSettled(requests);
}
