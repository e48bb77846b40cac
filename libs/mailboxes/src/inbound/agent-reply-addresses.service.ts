import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { agentTokenIn, withTag, writtenSignature } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';

/** Its keys are others than those of addresses for customers, so neither is ever taken for the other. */
const PURPOSE = 'deskwire agent reply addresses';

/** What one agent may answer. */
interface AgentOfTicket {
  readonly accountId: string;
  readonly agentId: string;
  readonly ticketNumber: number;
}

/**
 * Addresses of a mailbox to which one agent answers one ticket: `support+a42.9fk…@desk.example`. Having one is not enough: whoever
 * is in copy sees it. It shows that a mail that surely is of that agent was meant for this ticket.
 */
@Injectable()
export class AgentReplyAddressesService {
  private readonly accounts: Signatures;
  private readonly agents: Signatures;

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'SECRETS_KEY'>) {
    this.accounts = new Signatures(settings.SECRETS_KEY, `${PURPOSE}, accounts`, writtenShortly);
    this.agents = new Signatures(settings.SECRETS_KEY, PURPOSE, writtenSignature);
  }

  of(mailboxEmail: string, whose: AgentOfTicket): string {
    const { accountId, ticketNumber } = whose;
    const route = this.accounts.of(`${accountId} ${ticketNumber}`);
    return withTag(mailboxEmail, `a${ticketNumber}.${route}${this.agents.of(signed(whose))}`);
  }

  /** Whether this account made it, for whichever agent: a server asks that when it has not seen the mail yet. */
  isOf(address: string, accountId: string): boolean {
    const token = agentTokenIn(address);
    return token !== null && this.accounts.isOf(`${accountId} ${token.number}`, token.route);
  }

  /** The number of the ticket that the first address names that was made for this agent. */
  ticketOf(addresses: readonly string[], whose: Omit<AgentOfTicket, 'ticketNumber'>): number | null {
    for (const address of addresses) {
      const token = agentTokenIn(address);
      if (token && this.agents.isOf(signed({ ...whose, ticketNumber: token.number }), token.signature))
        return token.number;
    }
    return null;
  }
}

/** Enough to tell accounts apart and to turn away what is made up. Nothing follows from it alone. */
const ROUTE_LETTERS = 8;
const writtenShortly = (bytes: Buffer): string => writtenSignature(bytes).slice(0, ROUTE_LETTERS);

/** What an agent writes goes to a customer, and so may what a mail program quotes in it. */
export const withoutAgentTokens = (text: string): string => text.replaceAll(/\+a[1-9]\d{0,8}\.[0-9a-v]{24}@/gi, '@');

const signed = ({ accountId, agentId, ticketNumber }: AgentOfTicket): string =>
  `${accountId} ${agentId} ${ticketNumber}`;
