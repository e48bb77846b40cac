import { isIP } from 'node:net';
import { type ImapSecret, ImapSecretsService, type LeasedImap } from '#libs/mailboxes';
import { VERSION } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { ImapAccessTokensService } from './imap-access-tokens.service.js';
import { MailServerAddressesService } from './mail-server-addresses.service.js';

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
  maxLineLength: 4 * 1024 * 1024,
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
    private readonly addresses: MailServerAddressesService,
    private readonly secrets: ImapSecretsService,
    private readonly tokens: ImapAccessTokensService,
  ) {}

  async open(held: LeasedImap, signal: AbortSignal): Promise<ImapFlow> {
    const addresses = await this.addresses.of(held.host);
    const auth = await this.authOf(held, this.secrets.open(held));
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
    return { user, accessToken: await this.tokens.of(held, secret) };
  }

  private async connect(options: ImapFlowOptions, signal: AbortSignal): Promise<ImapFlow> {
    const client = new ImapFlow(options);
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
