import { GuardedNames, type AddressGuard, type NameResolver, pinnedAddressOptions } from '#libs/address-guard';
import type { SendDeadline } from './send-deadline.js';
import { DialAttempt, type DialResult, type DialSettings } from './dial-attempt.js';
import type { Target } from './target.js';

export interface Dialler {
  /** Opens a connection that is ready for HTTP, or returns why it cannot. Never rejects. */
  dial(target: Target, deadline: SendDeadline): Promise<DialResult>;
}

/** Connects directly, and only to addresses that it has just resolved and checked. */
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
