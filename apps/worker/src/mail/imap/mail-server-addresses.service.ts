import { AddressGuard, DnsResolver, GuardedNames } from '#libs/address-guard';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionFault } from './connection-fault.js';

/** A mailbox’s owner could name hosts inside the operator’s network. */
@Injectable()
export class MailServerAddressesService {
  private readonly names: GuardedNames;

  constructor(@Inject(SETTINGS_TOKEN) { MAIL_ALLOWED_NETWORKS }: Settings) {
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver());
  }

  /** The caller connects to these, so the name cannot resolve to another one. */
  async of(host: string): Promise<readonly string[]> {
    const located = await this.names.locate(host);
    if (located.kind === 'addresses') return located.addresses;
    throw new ConnectionFault(`${host}: ${located.detail}.`);
  }
}
