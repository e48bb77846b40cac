import { DeletedTicketsService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

@Injectable()
export class DeletedTicketsTask implements Task {
  readonly name = 'deleted_tickets';
  readonly everyMs = HOUR_MS;

  constructor(private readonly tickets: DeletedTicketsService) {}

  async run(): Promise<TaskReport> {
    return { tickets: await inBatches(() => this.tickets.purge()) };
  }
}
