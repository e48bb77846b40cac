import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

const PURPOSE = 'deskwire drafts of ended sessions';
const KEY_BYTES = 32;
/** Longer than anybody writes on one answer. */
const LIFE_MS = 24 * 3_600_000;

/** Whose draft it is. */
export interface Writer {
  readonly accountId: string;
  readonly agentId: string;
}

/**
 * A composer holds a permit to keep its text as the draft of the agent for whom it was drawn, also when the session has ended
 * before the text was sent. It permits nothing else: no message, and no look at anything.
 */
@Injectable()
export class WritingPermits {
  private readonly keys: readonly Buffer[];

  /** The first key signs. Signatures of every configured key are accepted. */
  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.keys = SECRETS_KEY.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES)));
  }

  issue({ accountId, agentId }: Writer, ticket: number): string {
    const claim = [accountId, agentId, this.clock.in(LIFE_MS).getTime().toString(36)].join('.');
    return `${claim}.${signatureOf(this.keys[0]!, claim, ticket)}`;
  }

  holder(permit: string, ticket: number): Writer | undefined {
    const [, claim = '', accountId = '', agentId = '', expiry = '', shown = ''] =
      /^(([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{1,11}))\.([\w-]{43})$/.exec(permit) ?? [];
    if (!this.keys.some((key) => same(shown, signatureOf(key, claim, ticket)))) return undefined;
    return Number.parseInt(expiry, 36) > this.clock.now().getTime() ? { accountId, agentId } : undefined;
  }
}

const signatureOf = (key: Buffer, claim: string, ticket: number): string =>
  createHmac('sha256', key).update(`${claim}\n${ticket}`).digest('base64url');

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
