import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { BucketStore } from './bucket-store.js';
import { FileStore } from './file-store.js';
import { FolderStore } from './folder-store.js';

@Module({
  providers: [
    {
      provide: FileStore,
      inject: [SETTINGS_TOKEN],
      useFactory: ({ STORAGE_URL: location }: Settings): FileStore =>
        location.kind === 'bucket' ? new BucketStore(location) : new FolderStore(location.path),
    },
  ],
  exports: [FileStore],
})
export class StorageModule {}
