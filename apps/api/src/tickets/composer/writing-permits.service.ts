import { Clock } from '#libs/database';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

const PURPOSE = 'deskwire drafts of ended sessions';
/** Longer than an agent spends on one reply. */
const LIFE_MS = 24 * 3_600_000;

interface Writer {
  readonly accountId: string;
  readonly agentId: string;
}

/** Issues permits to save the text of a composer as a draft, and nothing else, after the session has ended. */
@Injectable()
export class WritingPermitsService {
  private readonly signatures: Signatures;

  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.signatures = new Signatures(SECRETS_KEY, PURPOSE);
  }

  issue({ accountId, agentId }: Writer, ticket: number): string {
    const claim = [accountId, agentId, this.clock.in(LIFE_MS).getTime().toString(36)].join('.');
    return `${claim}.${this.signatures.of(signed(claim, ticket))}`;
  }

  holder(permit: string, ticket: number): Writer | undefined {
    const [, claim = '', accountId = '', agentId = '', expiry = '', shown = ''] =
      /^(([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{1,11}))\.([\w-]{43})$/.exec(permit) ?? [];
    if (!this.signatures.isOf(signed(claim, ticket), shown)) return undefined;
    return Number.parseInt(expiry, 36) > this.clock.now().getTime() ? { accountId, agentId } : undefined;
  }
}

const signed = (claim: string, ticket: number): string => `${claim}\n${ticket}`;
