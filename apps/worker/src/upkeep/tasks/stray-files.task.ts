import { Files } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type Report, type Task, inParts } from '../task.js';

/** The files of attachments that are gone, and of uploads that were cut off. */
@Injectable()
export class StrayFilesTask implements Task {
  readonly name = 'stray_files';
  readonly everyMs = HOUR_MS;

  constructor(private readonly files: Files) {}

  async run(): Promise<Report> {
    return { files: await inParts(() => this.files.removeStray()) };
  }
}
