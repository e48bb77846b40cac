import type { UpdatedMessagesQuery } from '#libs/tickets';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { IsTime, timeOf } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';

export class UpdatedMessagesQueryDto extends PageQueryDto {
  @ApiDescription('Updated then or later.') @IsOptional() @IsTime() updated_since?: string;

  override toQuery(): UpdatedMessagesQuery {
    return { ...super.toQuery(), updatedSince: timeOf(this.updated_since) };
  }
}
