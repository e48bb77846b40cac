import { SCOPES } from '#libs/entities';
import type { WebhookOwner } from '#libs/webhooks';
import type { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';

/** People at the console act without a token, so only their role limits them. */
export const webhookOwnerOf = (me: Me): WebhookOwner => ({ ...actingOf(me), grantId: null, scopes: SCOPES });
