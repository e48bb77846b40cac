import { SCOPES } from '#libs/entities';
import type { WebhookOwner } from '#libs/webhooks';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';

/** Somebody at the console holds no token, so nothing but their role limits them. */
export const webhookOwnerOf = (me: Me): WebhookOwner => ({ ...actingOf(me), grantId: null, scopes: SCOPES });
