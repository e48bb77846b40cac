import { Database } from '#libs/database';
import { manages } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import type { SidebarContent } from '../../layers/ui/page-context.js';
import { actingOf } from '../../layers/shell/acting.js';
import { type InboxLists, InboxSidebar } from './inbox-sidebar.js';
import { SidebarListsReader } from './sidebar-lists.reader.js';
import type { SidebarReader } from '../../layers/shell/sidebar.reader.js';
import { SIDEBAR_COUNTS } from './sidebar.statements.js';
import { TicketChoicesReader } from '../inbox/ticket-choices.reader.js';

/** Pages of the inbox load these lists with their own. Partial pages do not show them. */
const LOADS_OWN_LISTS = /^\/(inbox|tickets\/(?!(new|bulk|merge)$)|live)/;

@Injectable()
export class TicketSidebarReader implements SidebarReader {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly database: Database,
    private readonly lists: SidebarListsReader,
  ) {}

  async read(me: Me, path: string): Promise<SidebarContent> {
    const [lists, counts] = await Promise.all([
      LOADS_OWN_LISTS.test(path) ? undefined : this.listsFor(me),
      this.database
        .account(me.accountId)
        .row<{ unread: number } & Record<string, number>>(SIDEBAR_COUNTS, [me.agentId, manages(me.role)]),
    ]);
    const { unread, ...ofLinks } = counts!;
    return { links: <InboxSidebar lists={lists} />, counts: ofLinks, badge: unread };
  }

  private async listsFor(me: Me): Promise<InboxLists> {
    const [lists, { mailboxes, tags }] = await Promise.all([
      this.lists.read(actingOf(me)),
      this.choices.read(me.accountId),
    ]);
    return { ...lists, mailboxes, tags };
  }
}
