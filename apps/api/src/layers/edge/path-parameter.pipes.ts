import { NotFound } from '#libs/entities';
import { Injectable, type PipeTransform } from '@nestjs/common';

const MAX_IDENTIFIER_CHARACTERS = 320;

export class IdentifierPipe implements PipeTransform<string, string> {
  constructor(private readonly resource: string) {}

  transform(text: string): string {
    if (text.length > MAX_IDENTIFIER_CHARACTERS || text.includes('\0')) throw new NotFound(this.resource);
    return text;
  }
}

export const MAX_TICKET_NUMBER = 2_147_483_647;
const NO_TICKET = 0;

/** Returns 0, which no ticket has, if the text is no valid number. */
export function ticketNumberOf(text: string): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MAX_TICKET_NUMBER ? number : NO_TICKET;
}

/** Nest runs the pipes of a route concurrently, so a pipe that throws could hide an error in the body. */
@Injectable()
export class TicketNumberOrNonePipe implements PipeTransform<string, number> {
  transform(text: string): number {
    return ticketNumberOf(text);
  }
}

@Injectable()
export class TicketNumberPipe extends TicketNumberOrNonePipe {
  override transform(text: string): number {
    const number = super.transform(text);
    if (number === NO_TICKET) throw new NotFound('ticket');
    return number;
  }
}
