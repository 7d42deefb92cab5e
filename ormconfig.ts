import { DataSource } from 'typeorm';
import { entities } from './src/entities.js';
import { migrations } from './src/migrations.js';
import { dataSourceOptions } from './src/platform/database/data-source.options.js';

/** For the TypeORM command line on the built file: `typeorm migration:run -d dist/ormconfig.js`. */
export default new DataSource(
  dataSourceOptions(process.env.DATABASE_URL ?? 'postgres://localhost/none', { entities, migrations }, 2),
);
