import { DELIVERY_STATES, type DeliveryState } from '#libs/entities';
import type { DeliveryQuery } from '#libs/webhooks';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { IsIsoTime, splitCommas, timeOf } from '../../../http/field-decorators.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

/** With a filter by state, a page can have fewer items than `per_page`. Follow `next_page` to see more. */
export class DeliveriesQueryDto extends PageQueryDto {
  /** One or several, separated by commas. */
  @IsOptional() @Transform(splitCommas) @IsIn(DELIVERY_STATES, { each: true }) state?: DeliveryState[];
  /** Made then or later. */
  @IsOptional() @IsIsoTime() since?: string;
  /** Made earlier. */
  @IsOptional() @IsIsoTime() before?: string;

  override toQuery(): DeliveryQuery {
    return {
      ...this.pageRequest(),
      states: this.state ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
}
