import { AddressGuard, DnsResolver, GuardedNames } from '#libs/address-guard';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionFault } from './connection-fault.js';

/** Who sets up a mailbox names any host. None inside the operator's network is reached unless the operator allows it. */
@Injectable()
export class MailServerAddressesService {
  private readonly names: GuardedNames;

  constructor(@Inject(SETTINGS_TOKEN) { MAIL_ALLOWED_NETWORKS }: Settings) {
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver());
  }

  /** The addresses to connect to, instead of the name, so that it cannot mean something else a moment later. */
  async of(host: string): Promise<readonly string[]> {
    const located = await this.names.locate(host);
    if (located.kind === 'addresses') return located.addresses;
    throw new ConnectionFault(`${host}: ${located.detail}.`);
  }
}
