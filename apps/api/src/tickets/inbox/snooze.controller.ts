import { Clock } from '#libs/database';
import { TriageService } from '#libs/tickets';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../ui/form-fields.js';
import type { PageResponse } from '../../ui/page-response.js';
import { clockTime } from '../../ui/zoned-time.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { ticketPath } from '../../shell/inbox-query.js';
import { snoozeTime } from './snooze-times.js';
import { TicketOnPage } from './ticket-on-page.decorator.js';

/** Takes a ticket out of its folders for a time, and brings it back. */
@Controller('tickets/:number')
@ConsolePages()
export class SnoozeController {
  constructor(
    private readonly triage: TriageService,
    private readonly clock: Clock,
  ) {}

  @Post('snooze')
  async snooze(
    @Me() { timeZone }: Me,
    @TicketOnPage() ticket: TicketOnPage,
    @Body() body: unknown,
  ): Promise<PageResponse> {
    const now = this.clock.now();
    const until = snoozeTime(new FormFields(body).text('until'), now, timeZone);
    return this.change(ticket, until, `snoozed until ${clockTime(until, now, timeZone)}`);
  }

  @Post('wake')
  wake(@TicketOnPage() ticket: TicketOnPage): Promise<PageResponse> {
    return this.change(ticket, null, 'is no longer snoozed');
  }

  private async change(
    { context, number, back }: TicketOnPage,
    snoozedUntil: Date | null,
    done: string,
  ): Promise<PageResponse> {
    await this.triage.change(context, number, { snoozedUntil });
    return {
      redirect: ticketPath(number, back),
      notice: { tone: 'good', text: `#${number} ${done}.`, ticket: number },
    };
  }
}
