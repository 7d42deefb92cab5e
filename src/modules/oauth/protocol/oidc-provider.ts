// The import order matters: the library prints its notice while it is loaded.
import { endRuntimeNotice } from './suppress-version-warning.js';
import { errors, interactionPolicy, Provider } from 'oidc-provider';

endRuntimeNotice();

export { errors, interactionPolicy, Provider };
