import { DeletedTickets } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type Report, type Task, inParts } from '../task.js';

@Injectable()
export class DeletedTicketsTask implements Task {
  readonly name = 'deleted_tickets';
  readonly everyMs = HOUR_MS;

  constructor(private readonly tickets: DeletedTickets) {}

  async run(): Promise<Report> {
    return { tickets: await inParts(() => this.tickets.purge()) };
  }
}
