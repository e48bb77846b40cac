import type { Desk } from '../desk.js';
import { inbox } from './console-inbox.js';
import { roles } from './console-roles.js';
import { settings } from './console-settings.js';
import { webhookPages } from './console-webhooks.js';
import { customers } from './customers.js';
import { deliveries } from './deliveries.js';
import { ends } from './end.js';
import { front } from './front.js';
import { messages } from './messages.js';
import { oauth } from './oauth.js';
import { passwords } from './passwords.js';
import { people } from './people.js';
import { signIn } from './sign-in.js';
import { sweep } from './sweep.js';
import { ticketParts } from './ticket-parts.js';
import { tickets } from './tickets.js';
import { webhooks } from './webhooks.js';

/** In the order in which they are played: later ones use what earlier ones made. */
export const SCENES: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  front,
  'sign-in': signIn,
  webhooks,
  people,
  customers,
  tickets,
  'ticket-parts': ticketParts,
  messages,
  deliveries,
  oauth,
  passwords,
  inbox,
  settings,
  'webhook-pages': webhookPages,
  roles,
  sweep,
  ends,
};
