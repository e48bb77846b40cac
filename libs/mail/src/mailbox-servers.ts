import { type Socket, connect } from 'node:net';
import { AddressGuard, DnsResolver, GuardedNames, pinnedAddressOptions } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { MailServer } from './mail.js';

const CONNECT_MS = 10_000;

type OpenedSocket = (error: Error | null, socket: { readonly connection: Socket } | false) => void;

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
      getSocket: (_, done) => void this.open(server, done),
    };
  }

  private async open(server: MailServer, done: OpenedSocket): Promise<void> {
    try {
      done(null, { connection: await this.connect(server) });
    } catch (error) {
      done(error as Error, false);
    }
  }

  private async connect({ host, port }: MailServer): Promise<Socket> {
    const located = await this.names.locate(host);
    if (located.kind === 'failure') throw new Error(`No connection to ${host}: ${located.detail}.`);
    const socket = connect({ port, ...pinnedAddressOptions(host, located.addresses) });
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        socket.destroy();
        reject(new Error(`No connection to ${host}: ${error.message}`));
      };
      socket.setTimeout(CONNECT_MS, () => fail(new Error(`not within ${CONNECT_MS / 1000} seconds`)));
      socket.once('error', fail);
      // An error without a listener would end the process.
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.off('error', fail);
        resolve(socket);
      });
    });
  }
}
