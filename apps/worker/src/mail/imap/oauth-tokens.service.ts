import { isIP } from 'node:net';
import { ImapLeasesService, type ImapSecret, type LeasedImap } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { Agent, errors, request } from 'undici';
import { ConnectionFault } from './connection-fault.js';
import { MailHostsService } from './mail-hosts.service.js';

const TOKEN_TIMEOUT_MS = 15_000;
const MAX_TOKEN_ANSWER_BYTES = 64 * 1024;

type Refreshing = Extract<ImapSecret, { readonly refreshToken: string }>;

/** Exchanges the refresh token of a mailbox for an access token. */
@Injectable()
export class OAuthTokensService {
  constructor(
    private readonly leases: ImapLeasesService,
    private readonly hosts: MailHostsService,
  ) {}

  async accessToken(held: LeasedImap, secret: Refreshing): Promise<string> {
    const { access_token: token, refresh_token: next } = await this.refresh(held, secret);
    if (typeof token !== 'string') throw new ConnectionFault('The token URL returned no access token.');
    // Some servers rotate refresh tokens.
    if (typeof next === 'string' && next !== secret.refreshToken)
      await this.leases.replaceSecret(held, { ...secret, refreshToken: next });
    return token;
  }

  private async refresh({ tokenUrl, clientId }: LeasedImap, secret: Refreshing): Promise<Record<string, unknown>> {
    const url = new URL(tokenUrl!);
    const agent = await this.agentFor(url);
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        dispatcher: agent,
        // Not aborted when the worker stops: the server may have rotated the refresh token, and only the answer has it.
        signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
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
      throw new ConnectionFault(`The token URL refused the refresh token: ${refusalIn(answer, statusCode)}.`);
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      const isTooLong = error instanceof errors.ResponseExceededMaxSizeError;
      throw new ConnectionFault(`The token URL ${isTooLong ? 'sent too long a response' : 'did not respond'}.`);
    } finally {
      await agent.destroy();
    }
  }

  private async agentFor({ hostname }: URL): Promise<Agent> {
    const addresses = await this.hosts.addressesOf(hostname.replaceAll(/^\[|\]$/g, ''));
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    return new Agent({
      maxResponseSize: MAX_TOKEN_ANSWER_BYTES,
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
