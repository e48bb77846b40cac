import type { AgentRole } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { NavigationEntry } from '../ui/page-context.js';
import { AUDIENCE_KEY, type Audience, mayOpen } from './audience.js';

export const NAVIGATION_KEY = 'console:navigation';

interface OpenEntry extends NavigationEntry {
  readonly audience: Audience;
}

/** The links of the sidebar from top to bottom, by label. */
const ORDER = [
  'Customers',
  'Quarantine',
  'Agents',
  'Mailboxes',
  'Groups',
  'Webhooks',
  'Applications',
  'Events and audit',
  'Replies',
  'Outgoing mail',
  'Time zone',
  'Security',
  'System',
];

/** The links of the sidebar, as the controllers declare them. */
@Injectable()
export class NavigationService {
  private found: readonly OpenEntry[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  entriesFor(role: AgentRole): readonly NavigationEntry[] {
    this.found ??= this.find();
    return this.found.filter(({ audience }) => mayOpen(audience, role));
  }

  private find(): OpenEntry[] {
    const entries = this.discovery.getControllers().flatMap(({ metatype }) => {
      const entry = metatype && this.reflector.get<Omit<NavigationEntry, 'href'> | undefined>(NAVIGATION_KEY, metatype);
      if (!entry) return [];
      const href = this.reflector.get<string>('path', metatype).replace(/^\/?/, '/');
      return [{ ...entry, href, audience: this.reflector.get<Audience>(AUDIENCE_KEY, metatype) }];
    });
    return entries.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ label }: NavigationEntry): number {
  const place = ORDER.indexOf(label);
  if (place < 0) throw new Error(`The sidebar has no place for "${label}": add it to ORDER.`);
  return place;
}
