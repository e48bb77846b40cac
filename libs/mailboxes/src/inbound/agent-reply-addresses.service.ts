import { agentTokenIn, withTag, writtenSignature } from '#libs/entities';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

/** Derives other keys than for customers, so that neither address is accepted as the other. */
const PURPOSE = 'deskwire agent reply addresses';

interface AgentOfTicket {
  readonly accountId: string;
  readonly agentId: string;
  readonly ticketNumber: number;
}

/**
 * Signs the address to which one agent replies to one ticket: `support+a42.9fk…@desk.example`. People in copy see it,
 * so it only names the ticket and does not authenticate the agent.
 */
@Injectable()
export class AgentReplyAddressesService {
  private readonly accounts: Signatures;
  private readonly agents: Signatures;

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'SECRETS_KEY'>) {
    this.accounts = new Signatures(settings.SECRETS_KEY, `${PURPOSE}, accounts`, shortSignature);
    this.agents = new Signatures(settings.SECRETS_KEY, PURPOSE, writtenSignature);
  }

  of(mailboxEmail: string, whose: AgentOfTicket): string {
    const { accountId, ticketNumber } = whose;
    const route = this.accounts.of(`${accountId} ${ticketNumber}`);
    return withTag(mailboxEmail, `a${ticketNumber}.${route}${this.agents.of(signed(whose))}`);
  }

  /** Called before the transfer. */
  isOf(address: string, accountId: string): boolean {
    const token = agentTokenIn(address);
    return token !== null && this.accounts.isOf(`${accountId} ${token.number}`, token.route);
  }

  ticketOf(addresses: readonly string[], whose: Omit<AgentOfTicket, 'ticketNumber'>): number | null {
    for (const address of addresses) {
      const token = agentTokenIn(address);
      if (token && this.agents.isOf(signed({ ...whose, ticketNumber: token.number }), token.signature))
        return token.number;
    }
    return null;
  }
}

/** Enough to find the account and refuse forgeries. Grants nothing. */
const ROUTE_CHARACTERS = 8;
const shortSignature = (bytes: Buffer): string => writtenSignature(bytes).slice(0, ROUTE_CHARACTERS);

const signed = ({ accountId, agentId, ticketNumber }: AgentOfTicket): string =>
  `${accountId} ${agentId} ${ticketNumber}`;
