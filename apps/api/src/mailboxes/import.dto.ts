import { IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { IsTime, timeOf } from '../edge/field-decorators.js';

export class ImportDto {
  @ApiDescription('Mail that the server got on that day or later. All of it, if absent.')
  @IsOptional()
  @IsTime()
  since?: string | null;

  toInput(): Date | null {
    return timeOf(this.since) ?? null;
  }
}
