import { isIP } from 'node:net';
import { ImapLeasesService, type ImapSecret, type LeasedImap } from '#libs/mailboxes';
import { VERSION } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { MailHostsService } from './mail-hosts.service.js';
import { OAuthTokensService } from './oauth-tokens.service.js';
import { limitReading } from './reading-budget.js';

/** For each address; includes TLS and sign-in. */
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

@Injectable()
export class ImapConnectionsService {
  constructor(
    private readonly leases: ImapLeasesService,
    private readonly hosts: MailHostsService,
    private readonly tokens: OAuthTokensService,
  ) {}

  async open(held: LeasedImap, signal: AbortSignal): Promise<ImapFlow> {
    const addresses = await this.hosts.addressesOf(held.host);
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
    return { user, accessToken: await this.tokens.accessToken(held, secret) };
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
