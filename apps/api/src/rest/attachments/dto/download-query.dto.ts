import { IsOptional, IsString } from 'class-validator';
import { ApiDescription } from '../../../http/api-description.js';

export class DownloadQueryDto {
  @ApiDescription('Part of the attachment’s `url`; not made by clients.')
  @IsOptional()
  @IsString()
  pass?: string;
}
