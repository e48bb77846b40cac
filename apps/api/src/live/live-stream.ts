import type { ServerResponse } from 'node:http';
import type { Me } from '../sign-in/session.guard.js';
import type { TicketViewer } from './presences.service.js';
import type { Seat } from './stream-seats.js';

/** The stream of server-sent events of one open page. */
export interface LiveStream extends Seat {
  readonly me: Me;
  readonly raw: ServerResponse;
  /** Whoever has a ticket open in the page. */
  readonly viewer: TicketViewer | undefined;
}
