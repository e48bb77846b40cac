import { AddressGuard, DnsResolver, GuardedNames } from '#libs/address-guard';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionFault } from './connection-fault.js';

/** Guards against hosts inside the operator’s network, which the owner of a mailbox could name. */
@Injectable()
export class MailServerAddressesService {
  private readonly names: GuardedNames;

  constructor(@Inject(SETTINGS_TOKEN) { MAIL_ALLOWED_NETWORKS }: Settings) {
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver());
  }

  /** Returns checked addresses. The caller connects to these, so that the name cannot be resolved to another one. */
  async of(host: string): Promise<readonly string[]> {
    const located = await this.names.locate(host);
    if (located.kind === 'addresses') return located.addresses;
    throw new ConnectionFault(`${host}: ${located.detail}.`);
  }
}
