import { isIP } from 'node:net';
import { type ImapSecret, ImapSecretsService, type LeasedImap } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { Agent, errors, request } from 'undici';
import { ConnectionFault } from './connection-fault.js';
import { MailServerAddressesService } from './mail-server-addresses.service.js';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

type Refreshing = Extract<ImapSecret, { readonly refreshToken: string }>;

@Injectable()
export class ImapAccessTokensService {
  constructor(
    private readonly addresses: MailServerAddressesService,
    private readonly secrets: ImapSecretsService,
  ) {}

  async of(held: LeasedImap, secret: Refreshing): Promise<string> {
    const { access_token: token, refresh_token: next } = await this.refresh(held, secret);
    if (typeof token !== 'string') throw new ConnectionFault('The token address gave no access token.');
    // Some servers rotate refresh tokens.
    if (typeof next === 'string' && next !== secret.refreshToken)
      await this.secrets.replace(held, { ...secret, refreshToken: next });
    return token;
  }

  private async refresh({ tokenUrl, clientId }: LeasedImap, secret: Refreshing): Promise<Record<string, unknown>> {
    const url = new URL(tokenUrl!);
    const agent = await this.agentFor(url);
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        dispatcher: agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: secret.refreshToken,
          ...(clientId !== null && { client_id: clientId }),
          ...(secret.clientSecret !== null && { client_secret: secret.clientSecret }),
        }).toString(),
      });
      const answer = parsed(await body.text());
      if (statusCode === 200) return answer;
      throw new ConnectionFault(`The token address refused the refresh token: ${refusalIn(answer, statusCode)}.`);
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      const isTooLong = error instanceof errors.ResponseExceededMaxSizeError;
      throw new ConnectionFault(
        `The token address ${isTooLong ? 'answered at too great a length' : 'did not answer'}.`,
      );
    } finally {
      await agent.destroy();
    }
  }

  /** Connects only to the checked addresses. */
  private async agentFor({ hostname }: URL): Promise<Agent> {
    const addresses = await this.addresses.of(hostname.replaceAll(/^\[|\]$/g, ''));
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    return new Agent({
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: { lookup: (_name, _options, callback) => callback(null, answers), autoSelectFamily: true },
    });
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const refusalIn = (answer: Record<string, unknown>, status: number): string =>
  [answer['error_description'], answer['error']].find((one): one is string => typeof one === 'string') ?? `${status}`;
