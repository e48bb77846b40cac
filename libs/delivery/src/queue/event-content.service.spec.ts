import { randomBytes } from 'node:crypto';
import type { CommittedEvent } from '#libs/events';
import type { SealingKey } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { EventContentService } from './event-content.service.js';

const OLD_KEY = { id: 'old', key: randomBytes(32) };
const NEW_KEY = { id: 'new', key: randomBytes(32) };

const keyed = (...SECRETS_KEY: readonly SealingKey[]) => new EventContentService({ SECRETS_KEY });

const EVENT: CommittedEvent = {
  eventId: 'event',
  webhooks: 1,
  express: true,
  sequence: '42',
  kind: 'ticket_started',
  payload: '{"title":"مرحبا"}',
  requestId: null,
  cause: { type: 'application', clientId: 'bot' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  createdAt: new Date(1_795_000_000_000),
  receivers: [['webhook', 'https://hooks.example/', false, 'secret', 'headers']],
};

describe('EventContentService', () => {
  it('returns what the first attempts need, also after a new key was added', () => {
    const sealed = keyed(OLD_KEY).seal('account', EVENT)!;
    const { eventId: _, webhooks: __, express: ___, ...content } = EVENT;

    expect(keyed(NEW_KEY, OLD_KEY).open('event', sealed)).toEqual({ accountId: 'account', ...content });
  });

  it('hides the words of customers', () => {
    const sealed = Buffer.from(keyed(OLD_KEY).seal('account', EVENT)!, 'base64').toString('latin1');

    expect(sealed).not.toContain('ticket_started');
  });

  it('opens no content of another event, or with another key', () => {
    const sealed = keyed(OLD_KEY).seal('account', EVENT)!;

    expect(keyed(OLD_KEY).open('other', sealed)).toBeUndefined();
    expect(keyed(NEW_KEY).open('event', sealed)).toBeUndefined();
    expect(keyed(OLD_KEY).open('event', 'no content')).toBeUndefined();
  });

  it('leaves large events, and those of a paused or slow receiver, to PostgreSQL', () => {
    const contents = keyed(OLD_KEY);

    expect(contents.seal('account', { ...EVENT, payload: 'x'.repeat(8_000) })).toBeDefined();
    expect(contents.seal('account', { ...EVENT, payload: 'x'.repeat(8_001) })).toBeUndefined();
    expect(contents.seal('account', { ...EVENT, receivers: null })).toBeUndefined();
  });
});
