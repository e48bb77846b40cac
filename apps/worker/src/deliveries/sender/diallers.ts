import { type Socket, isIP } from 'node:net';
import { type AddressGuard, GuardedNames, type NameResolver, pinnedAddressOptions } from '#libs/address-guard';
import { Client } from 'undici';
import { DialAttempt, type DialResult, type DialSettings, type Target } from './dial-attempt.js';
import { failure } from './failure.js';
import type { SendDeadline } from './exchange.js';

export interface Dialler {
  /** Never rejects. */
  dial(target: Target, deadline: SendDeadline): Promise<DialResult>;
}

/** Connects only to addresses that it has just checked. */
export class DirectDialler implements Dialler {
  private readonly names: GuardedNames;

  constructor(
    guard: AddressGuard,
    names: NameResolver,
    private readonly settings: DialSettings,
  ) {
    this.names = new GuardedNames(guard, names);
  }

  dial(target: Target, deadline: SendDeadline): Promise<DialResult> {
    const attempt = new DialAttempt(this.settings, deadline, 'resolving');
    return attempt.run(async () => {
      const located = await this.names.locate(target.hostname);
      if (located.kind === 'failure') return located;
      return attempt.open(target, { port: target.port, ...pinnedAddressOptions(target.hostname, located.addresses) });
    });
  }
}

/**
 * Tunnels even for http, so the proxy cannot change the signed bytes. The proxy must check the addresses of names; an
 * address in the URL is checked here.
 */
export class ProxyDialler implements Dialler {
  private readonly authorization: Record<string, string>;

  constructor(
    private readonly proxy: URL,
    private readonly guard: AddressGuard,
    private readonly settings: DialSettings,
  ) {
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    this.authorization =
      credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  }

  async dial(target: Target, deadline: SendDeadline): Promise<DialResult> {
    const verdict = isIP(target.hostname) ? this.guard.verdict(target.hostname) : { allowed: true as const };
    if (!verdict.allowed) return failure('refused_address', `the address was refused: ${verdict.reason}`);
    const attempt = new DialAttempt(this.settings, deadline, 'tunnelling');
    return attempt.run(async () => {
      const tunnel = await this.tunnelTo(target, attempt);
      if (tunnel.kind === 'failure' || !target.secure) return tunnel;
      return attempt.secure(target, tunnel.socket);
    });
  }

  private async tunnelTo({ hostname, port }: Target, attempt: DialAttempt): Promise<DialResult> {
    const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
    const client = new Client(this.proxy.origin, { connectTimeout: this.settings.connectTimeoutMs });
    attempt.onStop(() => void client.destroy());
    try {
      const headers = { host: authority, ...this.authorization };
      const { statusCode, socket } = await client.connect({ path: authority, headers });
      socket.on('error', () => socket.destroy());
      if (statusCode === 200) return { kind: 'socket', socket: socket as Socket };
      socket.destroy();
      return failure('proxy', `the proxy refused with status ${statusCode}`);
    } catch {
      return failure('proxy', 'the proxy could not be reached');
    } finally {
      void client.destroy();
    }
  }
}
