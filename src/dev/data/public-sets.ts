/** A public data set, as docs/data.md describes it. */
export interface PublicSet {
  name: string;
  /** Path of each file below the data folder, and the SHA-256 of the published file. */
  files: Readonly<Record<string, string>>;
}

/** Folder of public data when no other is named. */
export const DATA_FOLDER = '.tasktree/data';

export const ALPHA_RATINGS = 'alpha/soc-sign-bitcoinalpha.csv';

/** Ratings of a trading network. */
export const BITCOIN_ALPHA: PublicSet = {
  name: 'Bitcoin Alpha',
  files: { [ALPHA_RATINGS]: '7af11340d137e7320d180ac49debc9ff4cd182d12c540632ac838bd57c1d91ac' },
};

/** Descriptions of plugins, and requests that they serve. */
export const META_TOOL: PublicSet = {
  name: 'MetaTool',
  files: {
    'metatool/plugin_des.json': 'c446ade5acfb8e16c477124250665021e63b11bf6cb232db04fc9ba6bed0389a',
    'metatool/all_clean_data.csv': 'cf2eb0474396677530931def51012da4e88f9f34f655332f04177b2054101baf',
  },
};

/** Descriptions of tools, and requests that they serve. */
export const SEAL_TOOLS: PublicSet = {
  name: 'Seal-Tools',
  files: {
    'sealtools/tool.jsonl': '35e34aaec1f0793c2b5a5dff734cb925837988f59ed0fe4f410d67f3d8375f5c',
    'sealtools/dev.jsonl': '53da12c9fab27e47eba4767ae3625b53bb6474215c38e5033b1fe11e84efacf6',
    'sealtools/test_in_domain.jsonl': '330020288948e711846417c2fca9a5980ef0f1adc01ad74dc38cc9ff7142811f',
    'sealtools/test_out_domain.jsonl': 'c2a86a3d3a5270f578e07f39a0973310cbcaec3b8d72166d7be38d21c9720be6',
  },
};
