(* Base64 (RFC 4648), zlib (RFC 1950 and 1951) and gzip (RFC 1952), as strict as Python is where it reads certificates. *)
exception Bad

let base64 text =
  let value c =
    match c with
    | 'A' .. 'Z' -> Char.code c - 65
    | 'a' .. 'z' -> Char.code c - 71
    | '0' .. '9' -> Char.code c + 4
    | '+' -> 62
    | '/' -> 63
    | _ -> raise Bad
  in
  let length = String.length text in
  let rec count_end k = if k < length && text.[length - 1 - k] = '=' then count_end (k + 1) else k in
  let num_end = count_end 0 in
  let num = length - num_end in
  let is_right = if num mod 4 = 0 then num > 0 || num_end = 0 else num mod 4 > 1 && (num mod 4) + num_end = 4 in
  if not is_right then raise Bad;
  let bytes = Buffer.create (num * 3 / 4) and bits = ref 0 and held = ref 0 in
  for i = 0 to num - 1 do
    bits := ((!bits lsl 6) lor value text.[i]) land 0xffff;
    held := !held + 6;
    if !held >= 8 then (
      held := !held - 8;
      Buffer.add_char bytes (Char.unsafe_chr ((!bits lsr !held) land 255)))
  done;
  Buffer.contents bytes

(* A Huffman code by the lengths of its words: how many words have each length, and the symbols in their order. *)
type code = { counts : int array; symbols : int array }

(* Refuses a code with more words than fit, or with fewer; but one word alone may have one bit where `may_be_one`. *)
let code ~may_be_one lengths =
  let counts = Array.make 16 0 in
  Array.iter (fun length -> counts.(length) <- counts.(length) + 1) lengths;
  let used = Array.length lengths - counts.(0) in
  let left = ref 1 in
  for length = 1 to 15 do
    left := (2 * !left) - counts.(length);
    if !left < 0 then raise Bad
  done;
  if !left > 0 && not (may_be_one && (used = 0 || (used = 1 && counts.(1) = 1))) then raise Bad;
  let places = Array.make 16 0 and symbols = Array.make (max 1 used) 0 in
  for length = 1 to 14 do
    places.(length + 1) <- places.(length) + counts.(length)
  done;
  Array.iteri
    (fun symbol length ->
      if length > 0 then (
        symbols.(places.(length)) <- symbol;
        places.(length) <- places.(length) + 1))
    lengths;
  { counts; symbols }

let fixed_lengths = Array.init 288 (fun i -> if i < 144 then 8 else if i < 256 then 9 else if i < 280 then 7 else 8)
let order_of_lengths = [| 16; 17; 18; 0; 8; 7; 9; 6; 10; 5; 11; 4; 12; 3; 13; 2; 14; 1; 15 |]

(* how many bits follow a symbol, and the number from which it counts: four symbols for each number of bits, or two *)
let length_bits = Array.init 29 (fun i -> if i < 8 || i = 28 then 0 else (i / 4) - 1)
let distance_bits = Array.init 30 (fun i -> if i < 4 then 0 else (i / 2) - 1)
let bases first bits =
  let base = ref first in
  Array.map (fun count -> let here = !base in base := here + (1 lsl count); here) bits
let length_base = Array.mapi (fun i base -> if i = 28 then 258 else base) (bases 3 length_bits)
let distance_base = bases 1 distance_bits

let byte text i = if i < String.length text then Char.code text.[i] else raise Bad

(* The content that is packed from byte `from` on, if it has at most so many bytes, and where it ends. *)
let inflate ~most text from =
  let at = ref from and bits = ref 0 and held = ref 0 in
  let byte = byte text in
  let take count =
    while !held < count do
      bits := !bits lor (byte !at lsl !held);
      incr at;
      held := !held + 8
    done;
    let found = !bits land ((1 lsl count) - 1) in
    bits := !bits lsr count;
    held := !held - count;
    found
  in
  let decode { counts; symbols } =
    let rec go length word first index =
      if length > 15 then raise Bad;
      let word = word lor take 1 and count = counts.(length) in
      if word - count < first then symbols.(index + word - first)
      else go (length + 1) (2 * word) (2 * (first + count)) (index + count)
    in
    go 1 0 0 0
  in
  let out = Buffer.create 65536 in
  let add byte =
    if Buffer.length out >= most then raise Bad;
    Buffer.add_char out (Char.unsafe_chr byte)
  in
  let stored () =
    bits := 0;
    held := 0;
    let length = byte !at lor (byte (!at + 1) lsl 8) in
    if byte (!at + 2) lor (byte (!at + 3) lsl 8) <> length lxor 0xffff then raise Bad;
    at := !at + 4;
    for i = 0 to length - 1 do
      add (byte (!at + i))
    done;
    at := !at + length
  in
  let rec coded lengths distances =
    let symbol = decode lengths in
    if symbol <> 256 then (
      if symbol < 256 then add symbol
      else (
        if symbol > 285 then raise Bad;
        let length = length_base.(symbol - 257) + take length_bits.(symbol - 257) in
        let symbol = decode distances in
        if symbol > 29 then raise Bad;
        let distance = distance_base.(symbol) + take distance_bits.(symbol) in
        if distance > Buffer.length out then raise Bad;
        for _ = 1 to length do
          add (Char.code (Buffer.nth out (Buffer.length out - distance)))
        done);
      coded lengths distances)
  in
  let fixed () = coded (code ~may_be_one:false fixed_lengths) (code ~may_be_one:false (Array.make 32 5)) in
  let own () =
    let num_lengths = take 5 + 257 in
    let num_distances = take 5 + 1 in
    let num_codes = take 4 + 4 in
    if num_lengths > 286 || num_distances > 30 then raise Bad;
    let of_lengths = Array.make 19 0 in
    for i = 0 to num_codes - 1 do
      of_lengths.(order_of_lengths.(i)) <- take 3
    done;
    let of_lengths = code ~may_be_one:false of_lengths in
    let all = Array.make (num_lengths + num_distances) 0 in
    let rec fill i =
      if i < Array.length all then (
        let symbol = decode of_lengths in
        if symbol < 16 then (
          all.(i) <- symbol;
          fill (i + 1))
        else (
          if symbol = 16 && i = 0 then raise Bad;
          let value = if symbol = 16 then all.(i - 1) else 0 in
          let count = if symbol = 16 then 3 + take 2 else if symbol = 17 then 3 + take 3 else 11 + take 7 in
          if i + count > Array.length all then raise Bad;
          Array.fill all i count value;
          fill (i + count)))
    in
    fill 0;
    if all.(256) = 0 then raise Bad;
    let lengths = code ~may_be_one:true (Array.sub all 0 num_lengths) in
    coded lengths (code ~may_be_one:true (Array.sub all num_lengths num_distances))
  in
  let rec blocks () =
    let is_last = take 1 = 1 in
    (match take 2 with 0 -> stored () | 1 -> fixed () | 2 -> own () | _ -> raise Bad);
    if not is_last then blocks ()
  in
  blocks ();
  (Buffer.contents out, !at)

(* The content, if it has at most so many bytes. *)
let unzlib ~most text =
  let byte = byte text in
  let head = (byte 0 * 256) + byte 1 in
  (* method 8, a window of 32 kB at most, no dictionary *)
  if byte 0 land 15 <> 8 || byte 0 lsr 4 > 7 || head mod 31 <> 0 || byte 1 land 32 <> 0 then raise Bad;
  let content, at = inflate ~most text 2 in
  let a = ref 1 and b = ref 0 in
  String.iter
    (fun c ->
      a := (!a + Char.code c) mod 65521;
      b := (!b + !a) mod 65521)
    content;
  let sum = (byte at lsl 24) lor (byte (at + 1) lsl 16) lor (byte (at + 2) lsl 8) lor byte (at + 3) in
  if sum <> (!b lsl 16) lor !a || at + 4 <> String.length text then raise Bad;
  content

let crc_of_byte =
  let rec go crc steps = if steps = 0 then crc else go (if crc land 1 = 1 then 0xedb88320 lxor (crc lsr 1) else crc lsr 1) (steps - 1) in
  Array.init 256 (fun i -> go i 8)

let crc text =
  let add crc c = crc_of_byte.((crc lxor Char.code c) land 255) lxor (crc lsr 8) in
  String.fold_left add 0xffffffff text lxor 0xffffffff

let is_gzip text = String.starts_with ~prefix:"\x1f\x8b" text

(* The content of the one member, with nothing after it, if it has at most so many bytes. *)
let ungzip ~most text =
  let byte = byte text in
  let two i = byte i lor (byte (i + 1) lsl 8) in
  let has flag = byte 3 land flag <> 0 in
  if byte 2 <> 8 || has 0xe0 then raise Bad;
  let rec after_zero i = if byte i = 0 then i + 1 else after_zero (i + 1) in
  let at = if has 4 then 12 + two 10 else 10 in  (* extra fields *)
  let at = if has 8 then after_zero at else at in  (* a name *)
  let at = if has 16 then after_zero at else at in  (* a comment *)
  if has 2 && two at <> crc (String.sub text 0 at) land 0xffff then raise Bad;
  let content, at = inflate ~most text (if has 2 then at + 2 else at) in
  let four i = two i lor (two (i + 2) lsl 16) in
  if four at <> crc content || four (at + 4) <> String.length content land 0xffffffff || at + 8 <> String.length text then raise Bad;
  content
