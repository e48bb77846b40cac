import { createHash } from 'node:crypto';
import { InvalidField, type Webhook } from '#libs/entities';
import { requestTarget } from './webhook-url.js';

type Registration = Pick<Webhook, 'applicationId' | 'agentId' | 'event' | 'url'>;

/**
 * Names what may be registered once: by one application, or one person without an application, for one kind of event and
 * one address. An index takes no address of 2,048 characters, so this is a digest.
 */
export function registrationKey({ applicationId, agentId, event, url }: Registration): Buffer {
  return createHash('sha256')
    .update(`${applicationId ?? agentId} ${event} ${requestTarget(url)}`)
    .digest();
}

/** For the error of an insert or an update. */
export const duplicateRefusal =
  ({ event }: Pick<Webhook, 'event'>) =>
  (error: unknown): never => {
    if ((error as { constraint?: string }).constraint !== 'webhooks_registration_idx') throw error;
    throw new InvalidField('url', 'already_registered', `url already has a webhook for ${event}`);
  };
