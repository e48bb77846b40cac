import type { Customer, Ticket } from '#libs/entities';
import { CustomersService, TicketsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { pagerLinks } from '../ui/parts/table.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf } from '../shell/form-submission.js';

const CUSTOMERS_PER_PAGE = 25;
const TICKETS_SHOWN = 25;

export type CustomerListView = Awaited<ReturnType<CustomersReader['list']>>;

@Injectable()
export class CustomersReader {
  constructor(
    private readonly customers: CustomersService,
    private readonly ticketsService: TicketsService,
  ) {}

  async list(me: Me, query: FormFields) {
    const q = query.text('q') || null;
    const cursor = query.text('cursor') || undefined;
    const request = { page: 1, perPage: CUSTOMERS_PER_PAGE, cursor, q: q ?? undefined };
    const { items, next } = await this.customers.list(actingOf(me), request);
    return { q, customers: items, ...pagerLinks('/customers', { q }, { cursor, next }) };
  }

  async tickets(me: Me, customer: Customer): Promise<readonly Ticket[]> {
    const { items } = await this.ticketsService.list(actingOf(me), {
      customer: customer.id,
      sort: '-created_at',
      page: 1,
      perPage: TICKETS_SHOWN,
      cursor: undefined,
    });
    return items;
  }
}
