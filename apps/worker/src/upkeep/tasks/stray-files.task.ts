import { FilesService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

/** Deletes the files of deleted attachments and of interrupted uploads. */
@Injectable()
export class StrayFilesTask implements Task {
  readonly name = 'stray_files';
  readonly everyMs = HOUR_MS;

  constructor(private readonly files: FilesService) {}

  async run(): Promise<TaskReport> {
    return { files: await inBatches(() => this.files.removeStray()) };
  }
}
