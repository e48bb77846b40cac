import type { AgentRole } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { NavigationEntry } from '../../pages/page-context.js';
import { AUDIENCE_KEY, type Audience, mayOpen } from './audience.js';

export const NAVIGATION_KEY = 'console:navigation';

interface OpenEntry extends NavigationEntry {
  readonly audience: Audience;
}

/** The links of the sidebar, as the controllers declare them, in the order in which ConsoleModule imports them. */
@Injectable()
export class Navigation {
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
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const entry = metatype && this.reflector.get<Omit<NavigationEntry, 'href'> | undefined>(NAVIGATION_KEY, metatype);
      if (!entry) return [];
      const href = this.reflector.get<string>('path', metatype).replace(/^\/?/, '/');
      return [{ ...entry, href, audience: this.reflector.get<Audience>(AUDIENCE_KEY, metatype) }];
    });
  }
}
