import { ARRIVAL_STATES, type ArrivalState } from '#libs/entities';
import type { ArrivalQuery } from '#libs/mailboxes';
import { IsIn } from 'class-validator';
import { Optional } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

export class ArrivalsQueryDto extends PageQueryDto {
  @Optional('Lists emails in this state. Default: quarantined emails.', IsIn(ARRIVAL_STATES)) state?: ArrivalState;

  override toQuery(): ArrivalQuery {
    return { ...super.toQuery(), state: this.state ?? 'quarantined' };
  }
}
