import { isIP } from 'node:net';
import { AddressGuard, DnsResolver, GuardedNames } from '#libs/address-guard';
import { ImapLeasesService, type ImapSecret, type LeasedImap } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, VERSION } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { Agent, errors, request } from 'undici';
import { ConnectionFault } from './connection-fault.js';
import { limitReading } from './reading-budget.js';

/** Includes name resolution, TLS and sign-in. */
const CONNECT_TIMEOUT_MS = 45_000;
const MAX_ADDRESSES = 3;

const OPTIONS = {
  connectionTimeout: 10_000,
  greetingTimeout: 15_000,
  socketTimeout: 90_000,
  // Asking idle servers to respond detects dead connections.
  maxIdleTime: 60_000,
  autoIdleDelay: 500,
  // Bounds the memory that a server can use.
  maxLineLength: 2 * 1024 * 1024,
  maxLiteralSize: 2 * 1024 * 1024,
  maxResponseSize: 6 * 1024 * 1024,
  maxResponseTokens: 20_000,
  // Compressed data would bypass the limits.
  disableCompression: true,
  logger: false,
  clientInfo: { name: 'Deskwire', version: VERSION },
} satisfies ImapFlowOptions;

const TOKEN_TIMEOUT_MS = 15_000;
const MAX_TOKEN_ANSWER_BYTES = 64 * 1024;

type Refreshing = Extract<ImapSecret, { readonly refreshToken: string }>;

/** A mailbox’s owner could name hosts inside the operator’s network, so each connection goes to a checked address. */
@Injectable()
export class ImapConnectionsService {
  private readonly names: GuardedNames;

  constructor(
    private readonly leases: ImapLeasesService,
    @Inject(SETTINGS_TOKEN) { MAIL_ALLOWED_NETWORKS, NODE_ENV }: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    const privateLog = NODE_ENV === 'production' ? logger : undefined;
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver(), privateLog);
  }

  async open(held: LeasedImap, signal: AbortSignal): Promise<ImapFlow> {
    const addresses = await this.addressesOf(held.host);
    const auth = await this.authOf(held, this.leases.openSecret(held));
    let refusal: unknown;
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        return await this.connect({ ...optionsOf(held, address), auth }, signal);
      } catch (error) {
        if (refusal === undefined || isUnreached(refusal)) refusal = error;
        if (signal.aborted || (error as { authenticationFailed?: boolean }).authenticationFailed) break;
      }
    }
    throw refusal;
  }

  private async authOf(held: LeasedImap, secret: ImapSecret): Promise<NonNullable<ImapFlowOptions['auth']>> {
    const user = held.username;
    if ('password' in secret) return { user, pass: secret.password };
    return { user, accessToken: await this.accessToken(held, secret) };
  }

  private async accessToken(held: LeasedImap, secret: Refreshing): Promise<string> {
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
    const addresses = await this.addressesOf(hostname.replaceAll(/^\[|\]$/g, ''));
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    return new Agent({
      maxResponseSize: MAX_TOKEN_ANSWER_BYTES,
      connect: { lookup: (_name, _options, callback) => callback(null, answers), autoSelectFamily: true },
    });
  }

  private async addressesOf(host: string): Promise<readonly string[]> {
    const located = await this.names.locate(host);
    if (located.kind === 'addresses') return located.addresses;
    throw new ConnectionFault(`${host}: ${located.detail}.`);
  }

  private async connect(options: ImapFlowOptions, signal: AbortSignal): Promise<ImapFlow> {
    const client = new ImapFlow(options);
    limitReading(client);
    // An error without a listener would end the process. Pending commands reject anyway.
    client.on('error', () => undefined);
    const close = (): void => client.close();
    const late = setTimeout(close, CONNECT_TIMEOUT_MS);
    signal.addEventListener('abort', close);
    try {
      if (signal.aborted) close();
      await client.connect();
      client.once('close', () => signal.removeEventListener('abort', close));
      return client;
    } catch (error) {
      signal.removeEventListener('abort', close);
      close();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }
}

/** The error of another address explains more. */
const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'CONNECT_TIMEOUT']);

const isUnreached = (error: unknown): boolean => UNREACHED.has((error as { code?: string }).code ?? '');

function optionsOf({ host, port, security }: LeasedImap, address: string): ImapFlowOptions {
  return {
    ...OPTIONS,
    host: address,
    port,
    // The certificate must have the configured name.
    ...(isIP(host) === 0 && { servername: host }),
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
  };
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
