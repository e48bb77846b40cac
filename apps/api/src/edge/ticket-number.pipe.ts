import { NotFound } from '#libs/entities';
import { Injectable, type PipeTransform } from '@nestjs/common';

const MAX_TICKET_NUMBER = 2_147_483_647;
const NO_TICKET = 0;

/** 0, which numbers no ticket, for a text that cannot be a ticket's number. */
export function ticketNumberOf(text: string): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MAX_TICKET_NUMBER ? number : NO_TICKET;
}

/**
 * Gives 0, which numbers no ticket, for a text that cannot be a ticket's number; then the service answers 404. Nest runs
 * the pipes of a route side by side: with this one, an error in the body is always the one that is reported.
 */
@Injectable()
export class TicketNumberOrNonePipe implements PipeTransform<string, number> {
  transform(text: string): number {
    return ticketNumberOf(text);
  }
}

/** Answers 404 for a text that cannot be a ticket's number. */
@Injectable()
export class TicketNumberPipe extends TicketNumberOrNonePipe {
  override transform(text: string): number {
    const number = super.transform(text);
    if (number === NO_TICKET) throw new NotFound('ticket');
    return number;
  }
}
