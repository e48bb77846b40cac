import type { UpdatedMessagesQuery } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../../../http/api-description.js';
import { IsTime, timeOf } from '../../../http/field-decorators.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

export class UpdatedMessagesQueryDto extends PageQueryDto {
  @ApiDescription('Updated then or later.') @IsOptional() @IsTime() updated_since?: string;

  override toQuery(): UpdatedMessagesQuery {
    return { ...super.toQuery(), updatedSince: timeOf(this.updated_since) };
  }
}
