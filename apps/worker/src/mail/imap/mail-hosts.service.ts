import { AddressGuard, DnsResolver, GuardedNames } from '#libs/address-guard';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionFault } from './connection-fault.js';

/** A mailbox’s owner could name hosts inside the operator’s network, so each connection goes to a checked address. */
@Injectable()
export class MailHostsService {
  private readonly names: GuardedNames;

  constructor(@Inject(SETTINGS_TOKEN) { MAIL_ALLOWED_NETWORKS, NODE_ENV }: Settings, @Inject(LOGGER) logger: Logger) {
    const privateLog = NODE_ENV === 'production' ? logger : undefined;
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver(), privateLog);
  }

  async addressesOf(host: string): Promise<readonly string[]> {
    const located = await this.names.locate(host);
    if (located.kind === 'addresses') return located.addresses;
    throw new ConnectionFault(`${host}: ${located.detail}.`);
  }
}
