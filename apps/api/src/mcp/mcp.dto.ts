import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { BooleanFlag, MAX_BODY_CHARACTERS, Optional, Text } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';
import { ChangeTicketDto } from '../tickets/index.js';

const TicketNumber = () => applyDecorators(IsInt(), Min(1), Max(2_147_483_647), ApiDescription('Ticket number.'));

export class ReadTicketDto extends PageQueryDto {
  @TicketNumber() number: number;
}

export class ChangeTicketByNumberDto extends ChangeTicketDto {
  @TicketNumber() number: number;
}

export class WriteMessageDto {
  @TicketNumber() number: number;
  @ApiDescription('Plain text or Markdown.') @Text(MAX_BODY_CHARACTERS) body: string;
  @Optional('Sends the reply. Only if the person asked for it, and if the account allows it.', BooleanFlag())
  send?: boolean | null;
  @Optional('A repeat with the same key within 24 hours writes nothing and returns the first result.', Text(255))
  idempotency_key?: string | null;
}
