import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { callbackify } from 'node:util';
import { AddressGuard, DnsResolver, GuardedNames, pinnedAddressOptions } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { MailServer } from './mail.js';

const CONNECT_MS = 10_000;

/** Owners of mailboxes name any host, so each connection goes to a checked address. */
export class MailboxServers {
  private readonly names: GuardedNames;

  constructor({ MAIL_ALLOWED_NETWORKS }: Pick<Settings, 'MAIL_ALLOWED_NETWORKS'>) {
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver());
  }

  optionsFor(server: MailServer): SMTPTransport.Options {
    const { host, port, security, user } = server;
    return {
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user && { auth: { user: user.name, pass: user.password } }),
      getSocket: (_, done) => callbackify(() => this.connect(server))(done),
    };
  }

  private async connect({ host, port }: MailServer): Promise<{ readonly connection: Socket }> {
    const located = await this.names.locate(host);
    if (located.kind === 'failure') throw new Error(`No connection to ${host}: ${located.detail}.`);
    const socket = connect({ port, ...pinnedAddressOptions(host, located.addresses) });
    // An error without a listener would end the process.
    socket.on('error', () => undefined);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
      return { connection: socket };
    } catch (error) {
      socket.destroy();
      const { name, message } = error as Error;
      const reason = name === 'AbortError' ? `not within ${CONNECT_MS / 1000} seconds` : message;
      throw new Error(`No connection to ${host}: ${reason}`, { cause: error });
    }
  }
}
