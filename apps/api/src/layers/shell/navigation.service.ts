import type { AgentRole } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { controllerPath } from '../edge/nest-internals.js';
import type { NavigationEntry } from '../ui/page-context.js';
import { AUDIENCE_KEY, AUDIENCES, type Audience } from './audience.guard.js';

export const NAVIGATION_KEY = 'console:navigation';

type OpenEntry = NavigationEntry & { readonly audience: Audience };

/** The order of the links in their groups. */
const ORDER = (
  'Scheduled, Quarantine, Customers, Replies, Saved replies, Time zone, Security, Mailboxes, Outgoing mail, Agents, Groups, ' +
  'Webhooks, Deliveries, Applications, Assistants, Events and audit, System'
).split(', ');

/** Finds the links of the navigation on the controllers, and filters them by role. */
@Injectable()
export class NavigationService {
  private cached: readonly OpenEntry[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  entriesFor(role: AgentRole): readonly NavigationEntry[] {
    this.cached ??= this.find();
    return this.cached.filter(({ audience }) => AUDIENCES[audience].has(role));
  }

  private find(): OpenEntry[] {
    const entries = this.discovery.getControllers().flatMap(({ metatype }) => {
      const entry = metatype && this.reflector.get<Omit<NavigationEntry, 'href'> | undefined>(NAVIGATION_KEY, metatype);
      if (!entry) return [];
      const href = controllerPath(metatype).replace(/^\/?/, '/');
      return [{ ...entry, href, audience: this.reflector.get<Audience>(AUDIENCE_KEY, metatype) }];
    });
    return entries.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ label }: NavigationEntry): number {
  const place = ORDER.indexOf(label);
  if (place < 0) throw new Error(`The navigation has no place for "${label}": add it to ORDER.`);
  return place;
}
