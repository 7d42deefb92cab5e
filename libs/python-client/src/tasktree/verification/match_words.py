"""The 1,024 words of match codes. Their order is part of the code: never sort, add or remove."""

MATCH_WORDS: tuple[str, ...] = tuple(
    """
abacus academy accent acorn acrobat actor adobe agate album alcove alder algae alloy almond alpine amber
amulet anchor angle antler anvil apple apricot apron aqua arbor arch archer arena armada arrow artery
artist aspen asphalt aster atlas atom atrium attic august aunt aurora autumn avenue avocado award axis
azure baboon backpack badge bagel baker balcony ballad ballast ballet balsam bamboo banana banjo banner
barber barley barn barrel basalt basil basket bassoon bathtub bayou bazaar beach beacon bean beard beaver
beetle bell bellows berry birch birdsong biscuit bison blade blanket blazer blender blimp blizzard
blossom blue bluebell bluff boat bobbin bobcat bonfire bonnet bonsai book border botany bottle boulder
bouquet bowl bracelet branch brass bread breeze brick bridge brioche brocade bronze broom brownie brush
bubble bucket buckle buffalo bugle bulb bundle bunker bunting burrow butter button buttress cabbage cabin
cable caboose cactus cadet cake calico calypso camel camera campfire canal candle candy canoe canopy
canvas canyon carafe caramel caravan carbon cargo carpet carrot cascade cashew castle catalog catfish
cedar celery cello cement cereal chalk chamber chapel chariot charm cherry cherub chess chestnut chief
chimney chipmunk chisel chowder cilantro cinder cinema circle citrus city clarinet clay cliff clipper
clock cloud clover coach coast cobalt cobbler cockatoo cocoa coin collar colony column comet compass
condor confetti convoy copper coral cork corner corsair cottage cotton cougar cousin cove coyote cradle
crane crater crayon cricket crimson crochet crouton crown crystal cube cuckoo cup cupboard curlew curtain
cushion cygnet cymbal cypress daffodil dahlia daisy damson dance daylight decade decanter deer delta
denim depot dervish desert desk dew diamond dinghy dinner dipper doctor dolphin domino donkey door
doublet dragon drawer dream drizzle drum drumbeat drummer duck dugout dune dust dynamo eagle earth easel
echo eclipse eddy eggplant elbow elegy elfin elixir elk emerald emu engine engraver envoy epic ermine
escort estate estuary evening expert fabric falafel falcon family fanfare fang farm fathom feather fedora
fence fern festival fiddle field fiesta fig figure filament filter finch finger fire firefly fish fishnet
fjord flag flame flamingo flannel flask fleece fleet flint flour flower flute foam folder foliage
footpath forest forge fossil foundry fountain fox foxglove freckle fresco friend fritter frost fruit
funnel furnace gadget galaxy galleon galley gallop garage garden gardener garland garlic garnet gazebo
gazelle gecko gemstone genie gentle geyser giraffe glacier glass glider glimmer globe goblet gold gondola
goose gopher gourd gown grain granite granola grape grapnel gravel gravity griffin grotto grove guava
guitar gull gumdrop habit halibut halyard hamlet hammer hammock hamster handbell harness harp harvest
hawk haystack hazel hazelnut heart hedge hedgehog heirloom helium helmet hemlock herald hermit heron
hickory hill hillside hippo hive hobby holly hologram honey hood horizon horn hornet horse hotel hummus
hunter hyacinth ibex ice icicle icon igloo iguana impala index indigo ink inkwell inlet iris island
isthmus ivory ivy jackal jacket jade jaguar jamboree jar jasmine javelin jelly jersey jetty jewel jigsaw
jockey jonquil journal jubilee judge juice jukebox jungle juniper jury kayak keepsake kelp kernel
kerosene kestrel kettle key kimono kindling kingdom kingfish kite kitten kiwi knight knot koala label
lace lacquer lacrosse ladder ladybug lagoon lakeside lamp lamppost lantern lapis lark laser lattice
laurel lava lavender lawn leaf legend lemon lemur lens lentil leopard letter lever library lichen light
lilac lily lime limpet linen lion lizard llama lobster locket lodge loom lotus lullaby lumber lunch
lupine lynx lyric macaw magma magnet magpie mallard mammoth mandolin mango manor mantle map maple marble
marigold marimba market marlin marmot marsh mascot mason matinee meadow medal medley melody melon menu
mercury meringue mermaid mesa meteor method midnight milk millet mimosa minaret mineral minnow mint
mirror mistral moccasin mole monarch mongoose monsoon month moon moonbeam morning mortar mosaic moss
motif motor mouse mudlark muffin mulberry museum music muslin mussel mustard myrtle napkin narwhal nature
navy nebula nectar needle neon nephew nest nickel nimbus noble nomad noodle north notebook nougat novel
nugget nursery nuthatch nutmeg nutshell oak oarsman oasis oatmeal obelisk oboe ocean ocelot octave
octopus okra olive onion onyx opal opera orange orbit orchard orchid oregano organ origami osprey ostrich
otter ottoman outpost oven overcoat oxbow oxygen oyster paddle page pagoda paint palace palette palm
pancake panda panel pansy panther papaya paper paprika parade parasol parcel parsley pasta pastry pasture
path pathway patio pavilion peacock peanut pear pebble pelican pencil pendant penguin peony pepper
periwig petal pewter pheasant phone piano pickle picnic pigeon pillar pillow pilot pine pinecone pinnacle
pioneer piston planet plate platypus plaza plum plywood poem polar polenta polka pollen pond pontoon
poppy porch portal portrait postcard potato powder prairie primrose prism prize pulley pumpkin puppet
purple puzzle pyramid python quail quarry quartet quartz queen quiche quill quince quiver rabbit raccoon
radar radio radish raft ragtime rail rainbow raisin rapids rattle raven ravine recipe reef regatta
reindeer relay rhubarb ribbon ring river rivulet robin robot rooster rope rotunda rowboat ruby rudder rug
saffron salad salmon salsa salt sandal sandbar sapling sardine satchel satin sauce scale scallop scarf
school scooter scout season seaweed secret seed sequoia sextant shadow shanty shark sheep shell sherbet
shield ship shore shovel shrimp sierra signal silo silver siren sister skate sketch ski skillet skipper
skylark sleigh slope smoke snail snapper snow soap sofa sorrel south sparrow spice spider spinach spindle
spiral sponge spoon spring sprout spruce squash squid stable stamp stapler star statue steam steel
steeple stirrup stone storm straw street studio sugar suit sultan summer sunbeam sundial sunset surfer
swallow swan swift syrup tadpole tailor talent talon tapir target tavern teacher teacup teak teapot
temple tempo tennis tent terrace thatch thicket thimble thistle thunder thyme tiara tiger timber tinsel
toffee tomato topaz topiary totem toucan tower tractor treble tree treetop trellis tribe trident tripod
trolley trophy trout truck truffle trumpet tugboat tulip tundra turbine turnip turtle tutor tuxedo twig
ukulele uncle unicorn upbeat upland urchin utensil vanilla vapor varnish vase vault velour velvet veranda
verse vessel vicar village viola violet violin visitor volcano vortex voyage vulture waffle wagon walkway
wallaby walnut walrus warbler water wave whale wheat wheel whisker wicker widget winter wolf wombat
wonder wool wren writer yacht yard yellow yeoman yodel yogurt yucca zebra zenith zephyr zero zinc
""".split()
)
