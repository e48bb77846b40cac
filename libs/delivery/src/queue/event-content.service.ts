import type { CommittedEvent } from '#libs/events';
import { SealedTexts } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

/** All that the first attempts of an event need. */
export interface EventContent extends Omit<CommittedEvent, 'eventId' | 'webhooks' | 'express' | 'receivers'> {
  readonly accountId: string;
  readonly receivers: NonNullable<CommittedEvent['receivers']>;
}

/** Thousands of events may wait in Redis. A worker reads larger ones from PostgreSQL. */
const MAX_CONTENT_CHARACTERS = 8_000;

/** Contents of events in their jobs. Sealed, because Redis may write them to a disk and keep them. */
@Injectable()
export class EventContentService {
  private readonly texts: SealedTexts;

  constructor(@Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Pick<Settings, 'SECRETS_KEY'>) {
    this.texts = new SealedTexts(SECRETS_KEY, 'deskwire events in jobs');
  }

  /** Undefined if the worker has to read the event. */
  seal(accountId: string, event: CommittedEvent): string | undefined {
    const { eventId, sequence, kind, payload, requestId, cause, traceparent, createdAt, receivers } = event;
    if (!receivers || payload.length > MAX_CONTENT_CHARACTERS) return undefined;
    const content = { accountId, sequence, kind, payload, requestId, cause, traceparent, createdAt, receivers };
    return this.texts.seal(eventId, JSON.stringify(content satisfies EventContent));
  }

  open(eventId: string, sealed: string): EventContent | undefined {
    const text = this.texts.open(eventId, sealed);
    if (text === undefined) return undefined;
    const content = JSON.parse(text) as EventContent & { readonly createdAt: string };
    return { ...content, createdAt: new Date(content.createdAt) };
  }
}
