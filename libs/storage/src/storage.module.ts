import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { FileStore } from './file-store.js';
import { FolderStore } from './folder-store.js';

@Module({
  providers: [
    {
      provide: FileStore,
      inject: [SETTINGS_TOKEN],
      useFactory: async ({ STORAGE_URL: location }: Settings): Promise<FileStore> => {
        if (location.kind !== 'bucket') return new FolderStore(location.path);
        const { BucketStore } = await import('./bucket-store.js');
        return new BucketStore(location);
      },
    },
  ],
  exports: [FileStore],
})
export class StorageModule {}
