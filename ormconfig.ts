import { DataSource } from 'typeorm';
import { entities } from './src/entities.js';
import { migrations } from './src/migrations.js';
import { dataSourceOptions } from './src/platform/database/data-source.options.js';

const { DATABASE_URL: url } = process.env;
// Without it the driver would ask a database on this machine, and say nothing but that nobody listens there.
if (!url) throw new Error('DATABASE_URL is not set. Set the variables of the service first (docs/operators.md).');

/** For the TypeORM command line on the built file: `typeorm migration:run -d dist/ormconfig.js`. */
export default new DataSource(dataSourceOptions(url, { entities, migrations }, 2));
