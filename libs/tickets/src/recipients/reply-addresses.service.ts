import { ticketTokenIn, withTag, writtenSignature } from '#libs/entities';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

const PURPOSE = 'deskwire reply addresses';

/**
 * `support+42.3k1…@desk.example`. An address allows writing to its ticket, so only its customer and people in Cc get
 * it. Lower case, because servers may change the case.
 */
@Injectable()
export class ReplyAddressesService {
  private readonly signatures: Signatures;

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'SECRETS_KEY'>) {
    this.signatures = new Signatures(settings.SECRETS_KEY, PURPOSE, writtenSignature);
  }

  of(mailboxEmail: string, accountId: string, ticketNumber: number): string {
    return withTag(mailboxEmail, `${ticketNumber}.${this.signatures.of(signed(accountId, ticketNumber))}`);
  }

  /** `support+b.7c0…@desk.example` */
  forReturns(mailboxEmail: string, returnToken: string): string {
    return withTag(mailboxEmail, `b.${returnToken}`);
  }

  ticketOf(addresses: readonly string[], accountId: string): number | null {
    for (const address of addresses) {
      const { number, signature } = ticketTokenIn(address);
      if (number !== null && this.signatures.isOf(signed(accountId, number), signature)) return number;
    }
    return null;
  }
}

const signed = (accountId: string, ticketNumber: number): string => `${accountId} ${ticketNumber}`;
